<#
.SYNOPSIS
Sets up what is missing, then starts the local stack and prints its addresses.
.DESCRIPTION
The counterpart of start-dev.sh for Windows. Arguments go to `rig stack up`, for instance --runtime model.
The stack runs until: .venv\Scripts\rig.exe stack down
#>
[CmdletBinding()]
param(
    [Parameter(ValueFromRemainingArguments = $true)]
    [string[]] $StackArguments = @()
)

Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
Set-Location -LiteralPath (Split-Path -Parent $PSScriptRoot)

$Venv = '.venv'
$Tools = '.venv-tools'

function Write-Step([string] $Text) {
    Write-Host ''
    Write-Host "== $Text"
}

function Stop-WithMessage([string] $Text) {
    [Console]::Error.WriteLine($Text)
    exit 4
}

# Runs a program and stops with its own words above if it fails.
function Invoke-Step([string] $Program, [string[]] $Arguments, [string] $OnFailure) {
    & $Program @Arguments
    if ($LASTEXITCODE -ne 0) {
        Stop-WithMessage $OnFailure
    }
}

# An interpreter of version 3.11 or later, or $null.
function Find-Python {
    $candidates = @(@('py', '-3'), @('python3'), @('python'))
    foreach ($candidate in $candidates) {
        $program = $candidate[0]
        if (-not (Get-Command $program -ErrorAction SilentlyContinue)) {
            continue
        }
        $arguments = @($candidate | Select-Object -Skip 1) + @('-c', 'import sys; print(sys.executable if sys.version_info >= (3, 11) else '''')')
        try {
            $found = & $program @arguments 2>$null
            if ($LASTEXITCODE -eq 0 -and $found) {
                return "$found".Trim()
            }
        }
        catch {
            # Words on standard error count as a failure in Windows PowerShell 5.1; then the next candidate is tried.
            continue
        }
    }
    return $null
}

# A uv that works: the one on the PATH, or a pinned one in a private environment.
function Get-Uv([string] $Python) {
    if (Get-Command 'uv' -ErrorAction SilentlyContinue) {
        return 'uv'
    }
    $uv = Join-Path $Tools 'Scripts\uv.exe'
    $pinned = 'scripts\lib\uv.txt'
    $stamp = Join-Path $Tools 'uv.txt'
    if ((Test-Path $uv) -and (Test-Path $stamp) -and ((Get-FileHash $stamp).Hash -eq (Get-FileHash $pinned).Hash)) {
        return $uv
    }
    Write-Step "Installing uv, pinned, into $Tools"
    if (Test-Path $Tools) {
        Remove-Item -Recurse -Force $Tools
    }
    Invoke-Step $Python @('-m', 'venv', $Tools) "$Python cannot make an environment in $Tools." | Out-Host
    $arguments = @('-m', 'pip', '--disable-pip-version-check', '--quiet', 'install', '--only-binary=:all:', '--require-hashes', '-r', $pinned)
    Invoke-Step (Join-Path $Tools 'Scripts\python.exe') $arguments 'uv could not be installed with pip; see above.' | Out-Host
    Copy-Item $pinned $stamp
    return $uv
}

# .venv holds exactly what requirements.lock says, and the project itself, editable.
function Initialize-Environment([string] $Python, [string] $Uv) {
    $interpreter = Join-Path $Venv 'Scripts\python.exe'
    $stamp = Join-Path $Venv '.lock-stamp'
    $now = (Get-FileHash 'requirements.lock').Hash + ' ' + (Get-FileHash 'pyproject.toml').Hash
    if ((Test-Path $interpreter) -and (Test-Path $stamp) -and ((Get-Content -Raw $stamp).Trim() -eq $now)) {
        return
    }
    Write-Step "Making the locked environment in $Venv (some 130 packages; minutes the first time, then cached)"
    if (-not (Test-Path $interpreter)) {
        Invoke-Step $Uv @('venv', '--quiet', '--python', $Python, $Venv) "uv could not make $Venv; see above."
    }
    if (Test-Path $stamp) {
        Remove-Item $stamp
    }
    Invoke-Step $Uv @('pip', 'sync', '--quiet', '--python', $interpreter, '--require-hashes', 'requirements.lock') 'The locked packages could not be installed; see above.'
    Invoke-Step $Uv @('pip', 'install', '--quiet', '--python', $interpreter, '--no-deps', '--no-build-isolation', '-e', '.') 'The project could not be installed; see above.'
    Set-Content -Path $stamp -Value $now -Encoding ascii
}

$python = Find-Python
if (-not $python) {
    Stop-WithMessage 'Python 3.11 or later is needed. Install it, and run this again.'
}
$uv = Get-Uv $python
Initialize-Environment $python $uv
Write-Step 'Starting the local stack'
& (Join-Path $Venv 'Scripts\rig.exe') stack up @StackArguments
exit $LASTEXITCODE
