"""`python -m harness.devstack serve`: the reference product on loopback; `… defects`: the table of its defects."""

import argparse
import os
import secrets
import sys
from collections.abc import Sequence
from typing import Literal, cast

from harness.devstack.claims.defects.table import table
from harness.devstack.config import ConfigFault, Settings, model_settings, need
from harness.devstack.server import serve
from harness.devstack.stores import S3Settings


def parser() -> argparse.ArgumentParser:
    """The command line."""
    top = argparse.ArgumentParser(prog="python -m harness.devstack", description="The reference claims product.")
    commands = top.add_subparsers(dest="command", required=True)
    commands.add_parser("defects", help="print the table of the switchable defects, in Markdown")
    run = commands.add_parser("serve", help="serve the product on loopback")
    run.add_argument("--host", default="127.0.0.1", help="a loopback address")
    run.add_argument("--port", type=int, default=8810, help="0 takes a free one")
    run.add_argument("--runtime", choices=["controlled", "model"], default="model")
    run.add_argument("--mongodb-uri", help="or RIG_MONGODB_URI")
    run.add_argument("--database", default="claims", help="name of the database")
    run.add_argument("--s3-endpoint", help="or RIG_S3_ENDPOINT")
    run.add_argument("--s3-access-key", help="or RIG_S3_ACCESS_KEY")
    run.add_argument("--s3-secret-key", help="or RIG_S3_SECRET_KEY")
    run.add_argument("--stream-ms", type=float, default=30.0, help="controlled: how long one reply streams")
    return top


def settings(got: argparse.Namespace) -> Settings:
    """Settings from arguments and environment. Raises ConfigFault for what is missing."""
    staff_password = os.environ.get("RIG_STAFF_PASSWORD")
    if not staff_password:
        staff_password = secrets.token_urlsafe(9)
        sys.stderr.write(f"RIG_STAFF_PASSWORD is not set; for this run it is {staff_password}\n")
    return Settings(
        host=got.host,
        port=got.port,
        runtime=cast(Literal["controlled", "model"], got.runtime),
        mongodb_uri=need(got.mongodb_uri, "RIG_MONGODB_URI"),
        s3=S3Settings(
            need(got.s3_endpoint, "RIG_S3_ENDPOINT"),
            need(got.s3_access_key, "RIG_S3_ACCESS_KEY"),
            need(got.s3_secret_key, "RIG_S3_SECRET_KEY"),
        ),
        seed_token=os.environ.get("RIG_SEED_TOKEN") or None,
        staff_user=os.environ.get("RIG_STAFF_USER") or "staff",
        staff_password=staff_password,
        model=model_settings(os.environ) if got.runtime == "model" else None,
        database=got.database,
        stream_ms=got.stream_ms,
    )


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve; a fault is one line on stderr and an exit code (2 usage, 3 refused, 4 port or store)."""
    got = parser().parse_args(arguments)
    if got.command == "defects":
        sys.stdout.write(table())
        return 0
    try:
        return serve(settings(got))
    except ConfigFault as exc:
        sys.stderr.write(f"{exc}\n")
        return exc.exit_code


if __name__ == "__main__":
    sys.exit(main())
