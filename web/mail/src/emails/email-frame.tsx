import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { ListError } from '@stoa/ui/table/table-parts.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useEffect, useRef, useState } from 'react'
import { fitFrame, isMessagePage } from '../fit-frame.ts'

/** Without scripts; the page of the service says the same in its policy. */
const SANDBOX = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox'

type EmailFrameProps = { src: string; title: string }

/** A mail as its recipients see it, as high as its content. */
export const EmailFrame = (props: EmailFrameProps) => {
  const [tries, setTries] = useState(0)
  return <LoadedFrame key={`${props.src} ${tries}`} {...props} onRetry={() => setTries(tries + 1)} />
}

const LoadedFrame = ({ src, title, onRetry }: EmailFrameProps & { onRetry: () => void }) => {
  const frame = useRef<HTMLIFrameElement>(null)
  const [page, setPage] = useState<Document>()
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    if (!page || !frame.current) return
    page.documentElement.style.overflow = 'auto hidden'
    return fitFrame(frame.current, page)
  }, [page])
  const loaded = () => {
    const inner = frame.current?.contentDocument ?? null
    if (isMessagePage(inner)) setPage(inner)
    else setFailed(true)
  }
  return (
    <div className="relative min-h-40 min-w-0 overflow-clip rounded-lg border border-line">
      {failed ? (
        <ListError message="Couldn't load the preview." onRetry={onRetry} />
      ) : (
        <>
          {page ? null : (
            <div className="absolute inset-0 p-5">
              <SkeletonText lines={4} label="Loading preview" />
            </div>
          )}
          {/* Mails are written for a white page */}
          <iframe
            ref={frame}
            src={src}
            title={title}
            sandbox={SANDBOX}
            referrerPolicy="no-referrer"
            onLoad={loaded}
            className={cx('block min-h-40 w-full', page ? undefined : 'invisible')}
          />
        </>
      )}
    </div>
  )
}
