/** Fewer rows are shown rather than counted. */
const LEAST_FOLDED = 3

export type Fold = { kind: 'fold'; count: number }

/** Rows with those far from any change counted in place of shown. */
export const fold = <Row extends { kind: string }>(rows: readonly Row[], context: number): (Row | Fold)[] => {
  const folded: (Row | Fold)[] = []
  let waiting: Row[] = []
  const flush = () => {
    if (waiting.length < LEAST_FOLDED) folded.push(...waiting)
    else folded.push({ kind: 'fold', count: waiting.length })
    waiting = []
  }
  for (const [at, row] of rows.entries()) {
    const near = rows.slice(Math.max(0, at - context), at + context + 1)
    if (near.every(({ kind }) => kind === 'same')) waiting.push(row)
    else {
      flush()
      folded.push(row)
    }
  }
  flush()
  return folded
}
