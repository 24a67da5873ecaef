import { useEffect, useState } from 'react'

/** Without scripts; the page of the service says the same in its policy. */
const SANDBOX = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox'
const MIN_HEIGHT = 160

/** A mail as its recipients see it, as high as its content. */
export const EmailFrame = ({ src, title }: { src: string; title: string }) => {
  const [page, setPage] = useState<Document>()
  const [height, setHeight] = useState(MIN_HEIGHT)
  useEffect(() => {
    const root = page?.documentElement
    if (!root) return
    const fit = () => setHeight(Math.max(MIN_HEIGHT, page.body.scrollHeight))
    const observer = new ResizeObserver(fit)
    observer.observe(page.body)
    return () => observer.disconnect()
  }, [page])
  return (
    <iframe
      src={src}
      title={title}
      sandbox={SANDBOX}
      referrerPolicy="no-referrer"
      onLoad={(event) => setPage(event.currentTarget.contentDocument ?? undefined)}
      style={{ height }}
      // Mails are written for a white page
      className="block w-full rounded-lg border border-line"
    />
  )
}
