const search = document.getElementById("search");
search?.addEventListener("input", () => {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const card of document.querySelectorAll(".card")) {
    const text = card.textContent.toLowerCase();
    card.hidden = !words.every((word) => text.includes(word));
  }
});
