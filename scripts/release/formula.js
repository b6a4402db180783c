// The Homebrew formula, for whoever keeps a tap.

/** The text of it. `sumOf` returns the SHA-256 of the archive of a platform; `download` is the URL of their folder. */
export function formula({ version, download, sumOf }) {
  const on = (platform, indentation) =>
    [`url "${download}/mailer-${version}-${platform}.tar.gz"`, `sha256 "${sumOf(platform)}"`]
      .map((line) => `${' '.repeat(indentation)}${line}\n`)
      .join('');
  const system = (name) => `    on_arm do
${on(`${name}-arm64`, 6)}    end
    on_intel do
${on(`${name}-x64`, 6)}    end
`;
  return `class Mailer < Formula
  desc "Operate an account on an email delivery service from a terminal"
  homepage "${download.replace(/\/releases\/.*/, '')}"
  version "${version}"
  license "MIT"

  on_macos do
${system('darwin')}  end
  on_linux do
${system('linux')}  end

  # Stripped, the executable would lose the program.
  skip_clean "bin"

  def install
    bin.install "bin/mailer"
    man1.install Dir["share/man/man1/*"]
    bash_completion.install "share/bash-completion/completions/mailer"
    zsh_completion.install "share/zsh/site-functions/_mailer"
    fish_completion.install "share/fish/vendor_completions.d/mailer.fish"
    doc.install Dir["share/doc/mailer/*"]
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/mailer --version").strip
  end
end
`;
}
