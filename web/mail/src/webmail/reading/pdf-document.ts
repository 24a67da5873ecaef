import {
  AnnotationMode,
  getDocument,
  type PDFDocumentProxy,
  PDFWorker,
  VerbosityLevel,
} from 'pdfjs-dist/legacy/build/pdf.mjs'
import {
  canvasSize,
  MAX_BYTES,
  MAX_IMAGE_PIXELS,
  MAX_MS,
  MAX_PAGES,
  PdfError,
  readBounded,
  type Size,
} from './pdf-bounds.ts'

export type Pdf = {
  /** The page count of the file; `pages` are those that the preview shows. */
  pageCount: number
  /** Sizes in points. */
  pages: readonly Size[]
  draw: (index: number, canvas: HTMLCanvasElement, options: { size: Size; signal: AbortSignal }) => Promise<void>
}

/**
 * Opens a PDF in a worker. The file is only ever drawn: no scripts, forms, links, annotations or attachments of it. The
 * worker is served under a policy that lets it ask nobody for anything. `signal` ends the worker and frees everything.
 */
export const openPdf = async (url: string, sizeBytes: number, signal: AbortSignal): Promise<Pdf> => {
  if (sizeBytes > MAX_BYTES) throw new PdfError('too_large')
  const data = await load(url, signal)
  signal.throwIfAborted()
  const port = new Worker(new URL('pdfjs-dist/legacy/build/pdf.worker.min.mjs', import.meta.url), { type: 'module' })
  const task = getDocument({
    data,
    worker: PDFWorker.create({ port, verbosity: VerbosityLevel.ERRORS }),
    verbosity: VerbosityLevel.ERRORS,
    enableXfa: false,
    // The page's policy allows no WebAssembly, the worker's no requests
    useWasm: false,
    useWorkerFetch: false,
    maxImageSize: MAX_IMAGE_PIXELS,
  })
  signal.addEventListener('abort', () => void end(task.destroy(), port))
  const lost = new Promise<never>((_, reject) => {
    port.addEventListener('error', () => reject(new PdfError('broken')))
  })
  const opened = task.promise.then(async (file) => ({ file, pages: await sizesOf(file) }))
  const { file, pages } = await inTime(Promise.race([opened, lost]))
  if (pages.length === 0) throw new PdfError('broken')
  return {
    pageCount: file.numPages,
    pages,
    draw: async (index, canvas, { size, signal: unneeded }) => {
      const page = await inTime(file.getPage(index + 1))
      if (unneeded.aborted) return
      const pixels = canvasSize(size, window.devicePixelRatio)
      const scale = pixels.width / page.getViewport({ scale: 1 }).width
      Object.assign(canvas, pixels)
      const drawing = page.render({
        canvas,
        viewport: page.getViewport({ scale }),
        annotationMode: AnnotationMode.DISABLE,
        background: 'white',
      })
      unneeded.addEventListener('abort', () => {
        drawing.cancel()
        // Otherwise the memory of a canvas stays until it is collected
        Object.assign(canvas, { width: 0, height: 0 })
        page.cleanup()
      })
      await inTime(drawing.promise).catch((error) => {
        if (!unneeded.aborted) throw error
      })
    },
  }
}

const load = async (url: string, signal: AbortSignal): Promise<Uint8Array> => {
  try {
    const response = await fetch(url, { signal })
    if (!response.ok || response.body === null) throw new PdfError('unavailable')
    return await readBounded(response.body)
  } catch (error) {
    throw error instanceof PdfError ? error : new PdfError('unavailable')
  }
}

const LETTER: Size = { width: 612, height: 792 }

/** A page that can't be read says so when it is drawn. */
const sizesOf = (file: PDFDocumentProxy): Promise<Size[]> =>
  Promise.all(
    Array.from({ length: Math.min(file.numPages, MAX_PAGES) }, async (_, index) => {
      try {
        const { width, height } = (await file.getPage(index + 1)).getViewport({ scale: 1 })
        return width > 0 && height > 0 ? { width, height } : LETTER
      } catch {
        return LETTER
      }
    }),
  )

const inTime = <T>(work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    let timer = 0
    const wait = () => {
      // A browser draws nothing in a tab that is hidden
      timer = window.setTimeout(() => (document.hidden ? wait() : reject(new PdfError('slow'))), MAX_MS)
    }
    wait()
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })

/** For a worker that is too busy to hear that it should end. */
const END_MS = 1_000

const end = async (ended: Promise<unknown>, port: Worker): Promise<void> => {
  await Promise.race([ended.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, END_MS))])
  port.terminate()
}
