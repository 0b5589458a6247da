// Finished runs that are dropped on the page or chosen: the server reads them, and every page shows them.

import { element } from "../report/element.js";

export function acceptRuns(layout, seat, say) {
  const chooser = element("input", { type: "file", accept: ".h5,.csv", hidden: true });
  chooser.addEventListener("change", () => {
    if (chooser.files[0]) upload(chooser.files[0]);
    chooser.value = "";
  });
  document.body.append(chooser);
  layout.bar.open.addEventListener("click", () => chooser.click());

  addEventListener("dragover", (event) => {
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) document.body.classList.remove("dropping");
  });
  addEventListener("drop", (event) => {
    event.preventDefault();
    document.body.classList.remove("dropping");
    const [file] = event.dataTransfer.files;
    if (file) upload(file);
  });

  async function upload(file) {
    const { page, steering } = seat();
    if (!steering) return say("Another page steers; take over to open a run.");
    try {
      const address = `/run?page=${page}&name=${encodeURIComponent(file.name)}`;
      const answer = await fetch(address, { method: "POST", body: file });
      if (!answer.ok) say(await answer.text());
    } catch {
      say(`${file.name} could not be sent to the server.`);
    }
  }
}
