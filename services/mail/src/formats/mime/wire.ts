const LF = 10
const CR = 13

/** By how many bytes a message grows when every line of it, the last one too, ends with CR LF. */
export const wireGrowth = (bytes: Buffer): number => {
  let growth = bytes.length > 0 && bytes.at(-1) !== LF ? 2 : 0
  for (let at = bytes.indexOf(LF); at !== -1; at = bytes.indexOf(LF, at + 1)) if (bytes[at - 1] !== CR) growth += 1
  return growth
}
