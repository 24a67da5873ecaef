type Counted = { readonly bodyStart: number; readonly end: number; lines: number }

/**
 * Counts the lines of bodies that lie inside each other in one pass over the bytes, however deep they are nested.
 */
export const countLines = (bytes: Buffer, lineBreak: number, bodies: readonly Counted[]): void => {
  const marks = bodies
    .flatMap((body) => [
      { at: body.bodyStart, body, sign: -1 },
      { at: body.end, body, sign: 1 },
    ])
    .sort((one, other) => one.at - other.at)
  let lines = 0
  let at = marks[0]?.at ?? 0
  for (const mark of marks) {
    for (; at < mark.at; at += 1) if (bytes[at] === lineBreak) lines += 1
    mark.body.lines += mark.sign * lines
  }
}
