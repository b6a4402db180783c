#!/usr/bin/env bash
# Installs programs of others that some tests run, on a machine of GitHub with Ubuntu; where one is
# missing, its tests are skipped. The workflows call it.
set -euo pipefail

sudo apt-get update
sudo apt-get install --yes --no-install-recommends \
  bind9-utils fish groff-base jq mandoc parallel python3-aiosmtpd shellcheck zsh

# These machines have a browser; later steps of the job get its path.
echo "CHROMIUM=$(command -v google-chrome)" >>"$GITHUB_ENV"
