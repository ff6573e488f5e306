# For nixpkgs' pkgs/by-name/fi/fim-lsp/package.nix, with Cargo.lock beside it.
{
  lib,
  python3Packages,
  fetchurl,
  rustPlatform,
  cargo,
  rustc,
}:

python3Packages.buildPythonApplication rec {
  pname = "%{name}";
  version = "%{version}";
  pyproject = true;

  src = fetchurl {
    url = "%{sdist_url}";
    hash = "%{sdist_sri}";
  };

  cargoDeps = rustPlatform.importCargoLock { lockFile = ./Cargo.lock; };

  build-system = [
    cargo
    rustPlatform.cargoSetupHook
    rustPlatform.maturinBuildHook
    rustc
  ];

  dependencies = with python3Packages; [
%{nix_dependencies}
  ];

  pythonImportsCheck = [
    "fim_lsp"
    "quotient"
  ];

  meta = {
    description = "%{description}";
    homepage = "%{homepage}";
    license = lib.licenses.asl20;
    mainProgram = "%{name}";
    maintainers = with lib.maintainers; [ %{nix_maintainer} ];
  };
}
