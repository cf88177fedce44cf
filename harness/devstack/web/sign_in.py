"""How staff sign in, on the pages of either product."""

from starlette.requests import Request

from harness.devstack import accounts


async def staff_name(request: Request) -> str | None:
    """The name in a sign-in form with the right name and password; None for any other."""
    async with request.form(max_files=0, max_fields=5) as form:
        name, password = str(form.get("name", "")), str(form.get("password", ""))
    settings = request.app.state.settings
    right_name = accounts.same(name.strip(), settings.staff_user)
    return name.strip() if accounts.same(password, settings.staff_password) and right_name else None
