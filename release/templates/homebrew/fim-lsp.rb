# The formula uses wheels, because ONNX Runtime has no sources on PyPI: it is for a tap, not for
# homebrew-core.
class FimLsp < Formula
  include Language::Python::Virtualenv

  desc "%{desc}"
  homepage "%{homepage}"
  version "%{version}"
  license "%{licence}"

%{homebrew_wheels}

  depends_on "python@3.13"

  def install
    virtualenv_create(libexec, "python3.13")
    system libexec/"bin/python", "-m", "ensurepip"
    system libexec/"bin/python", "-m", "pip", "install", "--only-binary", ":all:", Dir["*.whl"].first
    bin.install_symlink libexec/"bin/%{name}"
  end

  test do
    (testpath/"open.py").write "print(\n"
    assert_match "open.py:1", shell_output("#{bin}/%{name} check open.py 2>&1", 1)
    assert_match version.to_s, shell_output("#{bin}/%{name} --version")
  end
end
