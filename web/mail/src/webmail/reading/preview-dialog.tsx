import type { Attachment } from '@stoa/mail-model/messages.ts'
import { Button } from '@stoa/ui/button/button.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { formatBytes } from '@stoa/ui/text/format.ts'
import { Download } from 'lucide-react'
import { type ReactNode, type RefObject, useRef } from 'react'
import { download } from './files.ts'

type PreviewDialogProps = {
  url: string
  file: Attachment
  /** After its size: which of how many it is. */
  position?: string | undefined
  /** Opposite "Download". */
  controls?: ReactNode
  /** Without it, "Download" has the focus. */
  initialFocus?: RefObject<HTMLElement | null>
  onClose: () => void
  children: ReactNode
}

/** One file of a message, to look at and to download. */
export const PreviewDialog = (props: PreviewDialogProps) => {
  const { url, file, position, controls, initialFocus, onClose, children } = props
  const save = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      open
      onOpenChange={onClose}
      size="lg"
      initialFocus={initialFocus ?? save}
      title={<span className="break-all">{file.filename}</span>}
      description={[formatBytes(file.size_bytes), position].filter((part) => part !== undefined).join(', ')}
      footer={
        <>
          {controls === undefined ? null : <div className="mr-auto flex items-center gap-1">{controls}</div>}
          <Button ref={save} variant="primary" icon={<Download />} onClick={() => download(url, file.filename)}>
            Download
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
