/** Limits and layout for the preview of a PDF. The file is a stranger's: it may be broken, or malicious. */

export const MAX_BYTES = 20_000_000
/** Later pages are in the file only. */
export const MAX_PAGES = 50
/** Limit for one canvas, at 4 bytes per pixel. Larger pages are drawn less sharply. */
export const MAX_PIXELS = 8_000_000
/** No side of a canvas is longer: some browsers draw nothing then. */
export const MAX_SIDE = 8_192
/** Pictures inside the file that have more pixels are left out. A page scanned at 600 dpi has 35 million. */
export const MAX_IMAGE_PIXELS = 40_000_000
/** For opening the file, and for each page. */
export const MAX_MS = 20_000
/** A page that is longer than this times the width is made narrower. */
const MAX_ASPECT = 8
/** Between pages, and around them. */
export const GAP = 12

export type Size = { width: number; height: number }
export type Box = Size & { top: number }
export type Layout = { boxes: readonly Box[]; height: number }

/** Pages below each other, each as wide as there is room. */
export const layOut = (pages: readonly Size[], width: number): Layout => {
  let top = GAP
  const boxes = pages.map((page) => {
    const size = fit(page, width)
    const box = { ...size, top }
    top += size.height + GAP
    return box
  })
  return { boxes, height: top }
}

const fit = ({ width, height }: Size, room: number): Size => {
  const scale = Math.min(room / width, (room * MAX_ASPECT) / height)
  return { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) }
}

/** How many pixels a page is drawn with: as many as the screen has, within the bounds. */
export const canvasSize = ({ width, height }: Size, pixelRatio: number): Size => {
  const scale = Math.min(pixelRatio, Math.sqrt(MAX_PIXELS / (width * height)), MAX_SIDE / Math.max(width, height))
  return { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) }
}

/** Which pages are drawn: those in view and one screen before and after. `current` is the one in the middle. */
export const inView = ({ boxes }: Layout, view: { top: number; height: number }) => {
  const isNear = ({ top, height }: Box) => top < view.top + 2 * view.height && top + height > view.top - view.height
  const middle = view.top + view.height / 2
  const below = boxes.findIndex(({ top }) => top > middle)
  return {
    drawn: boxes.flatMap((box, index) => (isNear(box) ? [index] : [])),
    current: Math.max(0, (below < 0 ? boxes.length : below) - 1),
  }
}

export type PdfProblem = 'too_large' | 'unavailable' | 'encrypted' | 'slow' | 'broken'

export class PdfError extends Error {
  readonly problem: PdfProblem
  constructor(problem: PdfProblem) {
    super(problem)
    this.problem = problem
  }
}

/** Any other error of the PDF reader counts as unreadable. */
export const problemOf = (error: unknown): PdfProblem => {
  if (error instanceof PdfError) return error.problem
  return error instanceof Error && error.name === 'PasswordException' ? 'encrypted' : 'broken'
}

export const problemWords: Readonly<Record<PdfProblem, string>> = {
  too_large: 'This PDF is too large to preview: the limit is 20 MB. Download it to view it.',
  unavailable: "Couldn't load this PDF. Check your connection and try again.",
  encrypted: 'This PDF is protected with a password. Download it to open it.',
  slow: 'This PDF takes too long to display. Download it to view it.',
  broken: "This PDF can't be displayed: the file may be damaged. Download it to view it.",
}

/** All bytes of a file, unless there are too many. */
export const readBounded = async (body: ReadableStream<Uint8Array>, maxBytes = MAX_BYTES): Promise<Uint8Array> => {
  const pieces: Uint8Array[] = []
  let length = 0
  // Not `for await`: Safari can't iterate over a stream
  const reader = body.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    length += next.value.length
    if (length > maxBytes) {
      await reader.cancel()
      throw new PdfError('too_large')
    }
    pieces.push(next.value)
  }
  const bytes = new Uint8Array(length)
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.length
  }
  return bytes
}
