import type { Attachment } from '@stoa/mail-model/messages.ts'
import { Spinner } from '@stoa/ui/feedback/spinner.tsx'
import { type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import {
  type Box,
  GAP,
  inView,
  layOut,
  MAX_PAGES,
  PdfError,
  type PdfProblem,
  problemOf,
  problemWords,
} from './pdf-bounds.ts'
import type { openPdf as OpenPdf, Pdf } from './pdf-document.ts'
import { PreviewDialog } from './preview-dialog.tsx'

type PdfDialogProps = { url: string; file: Attachment; onClose: () => void }

/** The pages of a PDF as pictures. */
export const PdfDialog = ({ url, file, onClose }: PdfDialogProps) => {
  const pages = useRef<HTMLElement>(null)
  const [current, setCurrent] = useState(0)
  const { pdf, problem, fail } = usePdf(url, file.size_bytes)
  const isShown = pdf !== undefined && problem === undefined
  return (
    <PreviewDialog
      url={url}
      file={file}
      onClose={onClose}
      initialFocus={pages}
      controls={
        isShown ? <span className="text-muted text-sm">{`Page ${current + 1} of ${pdf.pageCount}`}</span> : undefined
      }
    >
      <section
        ref={pages}
        aria-label="Pages"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls what has the focus
        tabIndex={0}
        className="relative -mx-5 h-[calc(100dvh-13rem)] overflow-y-auto border-line border-y bg-sunken outline-offset-[-2px]"
      >
        {problem !== undefined ? (
          <p role="alert" className="flex h-full items-center justify-center px-5 text-center text-muted">
            {problemWords[problem]}
          </p>
        ) : pdf === undefined ? (
          <p role="status" className="flex h-full items-center justify-center gap-2 text-muted">
            <Spinner />
            Loading preview…
          </p>
        ) : (
          <Pages pdf={pdf} scroller={pages} onCurrent={setCurrent} onSlow={fail} />
        )}
      </section>
    </PreviewDialog>
  )
}

/** Its worker ends when the dialog closes, or as soon as there is a problem. */
const usePdf = (url: string, sizeBytes: number) => {
  const [pdf, setPdf] = useState<Pdf>()
  const [problem, setProblem] = useState<PdfProblem>()
  const opening = useRef<AbortController>(null)
  const fail = useCallback((error: unknown) => {
    if (opening.current?.signal.aborted !== false) return
    opening.current.abort()
    setProblem(problemOf(error))
  }, [])
  useEffect(() => {
    const controller = new AbortController()
    opening.current = controller
    open(url, sizeBytes, controller.signal).then(
      (opened) => {
        if (!controller.signal.aborted) setPdf(opened)
      },
      (error) => {
        if (!controller.signal.aborted) fail(error)
      },
    )
    return () => controller.abort()
  }, [url, sizeBytes, fail])
  return { pdf, problem, fail }
}

const open = async (...file: Parameters<typeof OpenPdf>): Promise<Pdf> => {
  const { openPdf } = await import('./pdf-document.ts').catch(() => {
    throw new PdfError('unavailable')
  })
  return openPdf(...file)
}

type PagesProps = {
  pdf: Pdf
  scroller: RefObject<HTMLElement | null>
  onCurrent: (index: number) => void
  /** A page takes too long. */
  onSlow: (error: unknown) => void
}

const Pages = ({ pdf, scroller, onCurrent, onSlow }: PagesProps) => {
  const view = useView(scroller)
  const layout = useMemo(() => layOut(pdf.pages, Math.max(1, view.width - 2 * GAP)), [pdf, view.width])
  const { drawn, current } = inView(layout, view)
  useEffect(() => onCurrent(current), [current, onCurrent])
  if (view.width === 0) return null
  return (
    <>
      <div className="relative" style={{ height: layout.height }}>
        {drawn.map((index) => {
          const box = layout.boxes[index]
          return box ? <PdfPage key={`${index} ${box.width}`} {...{ pdf, index, box, onSlow }} /> : null
        })}
      </div>
      {pdf.pageCount > MAX_PAGES ? (
        <p className="px-5 pb-4 text-center text-muted">
          {`The preview shows the first ${MAX_PAGES} pages. Download the file to see all ${pdf.pageCount}.`}
        </p>
      ) : null}
    </>
  )
}

/** The visible part of the pages. */
const useView = (scroller: RefObject<HTMLElement | null>) => {
  const [view, setView] = useState({ top: 0, width: 0, height: 0 })
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const look = () => setView({ top: element.scrollTop, width: element.clientWidth, height: element.clientHeight })
    const observer = new ResizeObserver(look)
    observer.observe(element)
    element.addEventListener('scroll', look, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', look)
    }
  }, [scroller])
  return view
}

type PdfPageProps = { pdf: Pdf; index: number; box: Box; onSlow: (error: unknown) => void }

const PdfPage = ({ pdf, index, box, onSlow }: PdfPageProps) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [state, setState] = useState<'drawing' | 'drawn' | 'broken'>('drawing')
  const { top, width, height } = box
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn once; another width is another page by its key
  useEffect(() => {
    if (!canvas.current) return
    const controller = new AbortController()
    const { signal } = controller
    pdf.draw(index, canvas.current, { size: { width, height }, signal }).then(
      () => {
        if (!signal.aborted) setState('drawn')
      },
      (error) => {
        if (signal.aborted) return
        if (problemOf(error) === 'slow') onSlow(error)
        else setState('broken')
      },
    )
    return () => controller.abort()
  }, [pdf, index])
  return (
    <div
      className="absolute inset-x-0 mx-auto overflow-hidden bg-white shadow-sm"
      style={{ top, width, height }}
      data-state={state}
    >
      {state === 'broken' ? (
        <p className="p-5 text-black text-center">This page can't be displayed.</p>
      ) : (
        <canvas ref={canvas} role="img" aria-label={`Page ${index + 1}`} className="size-full" />
      )}
    </div>
  )
}
