import type { MessageItem } from '@stoa/mail-model/messages.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { CodeBlock } from '@stoa/ui/display/code-block.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { SkeletonText } from '@stoa/ui/feedback/skeleton.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { messageOf, ProblemError } from '@stoa/ui/request/problem.ts'
import { formatBytes } from '@stoa/ui/text/format.ts'
import { useQuery } from '@tanstack/react-query'
import { Download, RotateCw } from 'lucide-react'
import { useRef } from 'react'
import { subjectOf } from '../people.ts'
import { download } from './files.ts'

/** A browser draws more than this slowly; the file has all of it. */
const MAX_SHOWN_BYTES = 1_000_000

/** The message as it was received, as text. */
export const SourceDialog = ({ item, onClose }: { item: MessageItem; onClose: () => void }) => {
  const close = useRef<HTMLButtonElement>(null)
  const url = `/api/mail/messages/${item.id}/raw`
  const query = useQuery({
    queryKey: ['webmail', 'source', item.id],
    queryFn: ({ signal }) => readSource(url, signal),
    gcTime: 0,
  })
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      initialFocus={close}
      title="Message source"
      description={`${subjectOf(item)}, ${formatBytes(item.size_bytes)}`}
      footer={
        <>
          <Button icon={<Download />} onClick={() => download(url, 'message.eml')}>
            Download as .eml
          </Button>
          <Button ref={close} variant="primary" onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      {query.data === undefined ? null : (
        <div className="flex flex-col gap-3">
          {query.data.isCut ? (
            <Notice>
              Showing only the first {formatBytes(MAX_SHOWN_BYTES)} of the source. Download the file to see all of it.
            </Notice>
          ) : null}
          <CodeBlock code={query.data.text} label="source" wrap />
        </div>
      )}
      {query.error ? (
        <Notice
          tone="danger"
          action={
            <Button size="sm" icon={<RotateCw />} onClick={() => void query.refetch()}>
              Retry
            </Button>
          }
        >
          {messageOf(query.error)}
        </Notice>
      ) : null}
      {query.isPending ? <SkeletonText lines={8} label="Loading source" /> : null}
    </Dialog>
  )
}

const readSource = async (url: string, signal: AbortSignal): Promise<{ text: string; isCut: boolean }> => {
  const response = await fetch(url, { signal }).catch((cause: unknown) => {
    throw new ProblemError("Can't connect to the server. Check your connection and try again.", [], { cause })
  })
  if (!response.ok) throw new ProblemError("Couldn't load the source of this message.")
  const bytes = await response.arrayBuffer()
  const isCut = bytes.byteLength > MAX_SHOWN_BYTES
  // Mail may be in any encoding; what is no UTF-8 is shown byte by byte
  return { text: decode(bytes.slice(0, MAX_SHOWN_BYTES)), isCut }
}

const decode = (bytes: ArrayBuffer): string => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('latin1').decode(bytes)
  }
}
