const button = document.getElementById("toggle-code");
button.addEventListener("click", () => {
  const shown = document.body.classList.toggle("with-code");
  button.textContent = shown ? "Hide code" : "Show code";
  button.setAttribute("aria-pressed", String(shown));
});
