#!/usr/bin/env bash
# Installs third-party programs that some tests run, on GitHub's Ubuntu machines; tests of missing
# programs are skipped. The workflows call it.
set -euo pipefail

sudo apt-get update
sudo apt-get install --yes --no-install-recommends \
  bind9-utils fish groff-base jq mandoc parallel python3-aiosmtpd shellcheck zsh

# These machines have a browser; this passes its path to later steps of the job.
echo "CHROMIUM=$(command -v google-chrome)" >>"$GITHUB_ENV"
