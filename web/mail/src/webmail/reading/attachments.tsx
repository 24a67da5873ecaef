import type { Attachment, Message } from '@stoa/mail-model/messages.ts'
import { Button, IconButton } from '@stoa/ui/button/button.tsx'
import { lazyAction } from '@stoa/ui/shell/lazy-action.ts'
import { formatBytes, formatCount } from '@stoa/ui/text/format.ts'
import {
  Calendar,
  ChevronLeft,
  ChevronRight,
  Contact,
  Download,
  File,
  FileArchive,
  FileAudio,
  FileImage,
  FileSpreadsheet,
  FileText,
  FileVideo,
  type LucideIcon,
  Mail,
} from 'lucide-react'
import { lazy, Suspense, useEffect, useState } from 'react'
import { downloadAll, type FileKind, isPicture, kindOf, partUrl } from './files.ts'
import { PreviewDialog } from './preview-dialog.tsx'

const loadPdfDialog = () => import('./pdf-dialog.tsx')
const PdfDialog = lazy(async () => ({ default: (await loadPdfDialog()).PdfDialog }))

/** The files of a message. Pictures that its text shows are not among them. */
export const Attachments = ({ message }: { message: Message }) => {
  const files = message.attachments.filter(({ inline }) => !inline)
  const [shown, setShown] = useState<Attachment>()
  if (files.length === 0) return null
  const pictures = files.filter(isPicture)
  const close = () => setShown(undefined)
  const show = (file: Attachment) =>
    isPicture(file) ? setShown(file) : void lazyAction(loadPdfDialog, () => setShown(file))
  const size = files.reduce((sum, { size_bytes: bytes }) => sum + bytes, 0)
  return (
    <section aria-label="Attachments" className="flex min-w-0 flex-col gap-2 border-line border-t pt-3">
      <div className="flex items-center gap-2 text-muted text-xs">
        <span>
          {formatCount(files.length, 'attachment', 'attachments')}, {formatBytes(size)}
        </span>
        {files.length > 1 ? (
          <Button size="sm" variant="ghost" icon={<Download />} onClick={() => void downloadAll(message.id, files)}>
            Download all
          </Button>
        ) : null}
      </div>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(13rem,1fr))] gap-2">
        {files.map((file) => (
          <li key={file.section} className="min-w-0">
            <FileTile messageId={message.id} file={file} onShow={() => show(file)} />
          </li>
        ))}
      </ul>
      {shown === undefined ? null : isPicture(shown) ? (
        <PictureDialog
          key={shown.section}
          messageId={message.id}
          file={shown}
          pictures={pictures}
          onShow={setShown}
          onClose={close}
        />
      ) : (
        <Suspense>
          <PdfDialog url={partUrl(message.id, shown.section)} file={shown} onClose={close} />
        </Suspense>
      )}
    </section>
  )
}

type FileTileProps = { messageId: string; file: Attachment; onShow: () => void }

const FileTile = ({ messageId, file, onShow }: FileTileProps) => {
  const url = partUrl(messageId, file.section)
  const size = formatBytes(file.size_bytes)
  const kind = kindOf(file)
  const [isBroken, setBroken] = useState(false)
  return (
    <div className="relative flex h-14 items-center gap-3 overflow-hidden rounded-lg border border-line bg-surface pr-1.5 hover:border-line-strong">
      {(isPicture(file) && !isBroken) || kind === 'pdf' ? (
        <button
          type="button"
          aria-label={`Preview ${file.filename}`}
          onClick={onShow}
          className="flex size-14 shrink-0 items-center justify-center bg-canvas text-muted outline-offset-[-2px] hover:text-ink"
        >
          {kind === 'pdf' ? (
            <KindIcon kind={kind} />
          ) : (
            <img src={url} alt="" loading="lazy" onError={() => setBroken(true)} className="size-full object-cover" />
          )}
        </button>
      ) : (
        <span aria-hidden className="flex size-14 shrink-0 items-center justify-center bg-canvas text-muted">
          <KindIcon kind={kind} />
        </span>
      )}
      <a href={url} download={file.filename} className="flex min-w-0 flex-1 items-center gap-2 rounded-md text-sm">
        {/* In one piece: a name that can be cut is two */}
        <span className="sr-only">{`Download ${file.filename}, ${size}`}</span>
        <span aria-hidden className="min-w-0 flex-1">
          <FileName name={file.filename} />
          <span className="block text-muted text-xs">{size}</span>
        </span>
        <span aria-hidden className="flex size-7 shrink-0 items-center justify-center text-faint">
          <Download className="size-4" />
        </span>
      </a>
    </div>
  )
}

/** A name that is too long is cut before its ending: that says what it is. */
const FileName = ({ name }: { name: string }) => {
  const dot = name.lastIndexOf('.')
  const start = dot > 0 && name.length - dot <= MAX_ENDING ? dot : name.length
  return (
    <span className="flex min-w-0 font-medium text-ink" title={name}>
      <span className="min-w-0 truncate">{name.slice(0, start)}</span>
      <span className="shrink-0 whitespace-pre">{name.slice(start)}</span>
    </span>
  )
}

const MAX_ENDING = 6
const icons: Record<FileKind, LucideIcon> = {
  image: FileImage,
  pdf: FileText,
  text: FileText,
  sheet: FileSpreadsheet,
  archive: FileArchive,
  audio: FileAudio,
  video: FileVideo,
  calendar: Calendar,
  contact: Contact,
  mail: Mail,
  file: File,
}

const KindIcon = ({ kind }: { kind: FileKind }) => {
  const Icon = icons[kind]
  return <Icon className="size-5" />
}

type PictureDialogProps = {
  messageId: string
  file: Attachment
  /** All pictures of the message, in order. */
  pictures: readonly Attachment[]
  onShow: (file: Attachment) => void
  onClose: () => void
}

const PictureDialog = ({ messageId, file, pictures, onShow, onClose }: PictureDialogProps) => {
  const [isBroken, setBroken] = useState(false)
  const url = partUrl(messageId, file.section)
  const at = pictures.findIndex(({ section }) => section === file.section)
  const [before, after] = [pictures[at - 1], pictures[at + 1]]
  useEffect(() => {
    const press = ({ key }: KeyboardEvent) => {
      const next = key === 'ArrowLeft' ? before : key === 'ArrowRight' ? after : undefined
      if (next) onShow(next)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [before, after, onShow])
  return (
    <PreviewDialog
      url={url}
      file={file}
      onClose={onClose}
      position={pictures.length > 1 ? `${at + 1} of ${pictures.length}` : undefined}
      controls={
        pictures.length > 1 ? (
          <>
            <IconButton
              label="Previous image"
              icon={<ChevronLeft />}
              disabled={!before}
              onClick={() => before && onShow(before)}
            />
            <IconButton
              label="Next image"
              icon={<ChevronRight />}
              disabled={!after}
              onClick={() => after && onShow(after)}
            />
          </>
        ) : undefined
      }
    >
      {isBroken ? (
        <p className="py-8 text-center text-muted text-sm">This image can't be displayed. Download it to view it.</p>
      ) : (
        <img
          src={url}
          alt={file.filename}
          onError={() => setBroken(true)}
          className="mx-auto max-h-[65vh] rounded-md object-contain"
        />
      )}
    </PreviewDialog>
  )
}
