<#
.SYNOPSIS
One scheduled run: plays, scores, reports.
.DESCRIPTION
The counterpart of nightly.sh for Windows. Arguments go to `rig run`; the run's id is the day's, so that a second start on
the same day goes on with it. Standard error ends with one line; exit code: that of the run if it is not 0, else of scoring.
RIG_RUN: another id. RIG_COMMAND: another rig than .venv\Scripts\rig.exe.
#>
[CmdletBinding()]
param(
    [Parameter(ValueFromRemainingArguments = $true)]
    [string[]] $RunArguments = @()
)

Set-StrictMode -Version 3.0
$ErrorActionPreference = 'Stop'
Set-Location -LiteralPath (Split-Path -Parent (Split-Path -Parent $PSScriptRoot))

$Rig = if ($env:RIG_COMMAND) { $env:RIG_COMMAND } else { '.venv\Scripts\rig.exe' }
$Run = if ($env:RIG_RUN) { $env:RIG_RUN } else { 'nightly-' + [DateTime]::UtcNow.ToString('yyyyMMdd') }

$Outcome = & $Rig run --run $Run --json @RunArguments
$Played = $LASTEXITCODE
if (-not $Outcome) {
    # Refused, wrong input, another run at work, or stopped: rig has said why.
    [Console]::Error.WriteLine("nightly: ${Run}: no result (exit $Played), nothing was scored")
    exit $Played
}
& $Rig score $Run --json | Out-Null
$Scored = $LASTEXITCODE
& $Rig report $Run
$Reported = $LASTEXITCODE

$Code = @($Played, $Scored, $Reported) | Where-Object { $_ -ne 0 } | Select-Object -First 1
if ($null -eq $Code) { $Code = 0 }
[Console]::Error.WriteLine("nightly: ${Run}: played (exit $Played), scored (exit $Scored), reported (exit $Reported)")
exit $Code
