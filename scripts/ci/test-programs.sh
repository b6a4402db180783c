#!/usr/bin/env bash
# Installs third-party programs that some tests run, on GitHub's Ubuntu machines; tests of missing
# programs are skipped. The workflows call it.
set -euo pipefail

sudo apt-get update
sudo apt-get install --yes --no-install-recommends \
  bind9-utils buildah debian-archive-keyring debootstrap faketime fish groff-base jq libc6-arm64-cross \
  lintian mandoc parallel python3-aiosmtpd qemu-user-static shellcheck zip zsh

# These machines have a browser; this passes its path to later steps of the job.
echo "CHROMIUM=$(command -v google-chrome)" >>"$GITHUB_ENV"
