// What a finished run tells of one part of its model (src/server/told_part.h): its properties, and the numbers of its quantities, a row
// for each frame of the player.

export async function fetchToldPart(part) {
  const answer = await fetch(`/run/${part.replace(" ", "/")}`);
  if (!answer.ok) throw new Error((await answer.text()).trim());
  return readToldPart(await answer.arrayBuffer());
}

function readToldPart(bytes) {
  const [length] = new Float64Array(bytes, 0, 1);
  const told = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 8, length)));
  const numbers = new Float64Array(bytes, 8 + length);
  // those of the row that is nearest to a frame, which may lie between two rows
  told.rowOf = ({ sequence }) => numbers.subarray(told.width * Math.round(sequence), told.width * (Math.round(sequence) + 1));
  return told;
}
