import { IconButton } from '@stoa/ui/button/button.tsx'
import { FieldError } from '@stoa/ui/form/field.tsx'
import { formatBytes } from '@stoa/ui/text/format.ts'
import { cx } from '@stoa/ui/theme/cx.ts'
import { FileArchive, FileAudio, FileImage, FileText, FileVideo, File as PlainFile, RotateCw, X } from 'lucide-react'
import type { MouseEvent } from 'react'
import { removeFile, retryFile } from './files.ts'
import { type LetterFile, usedFiles } from './letter.ts'
import { estimatedSize, MAX_FILE_BYTES, MAX_MESSAGE_BYTES } from './limits.ts'
import type { ComposeWindow } from './windows.ts'

/** The attachments, each with its size, upload progress and error. */
export const AttachmentList = ({ one }: { one: ComposeWindow }) => {
  // A picture of the text is seen there, unless it has a problem
  const files = usedFiles(one.letter).filter(({ contentId, state }) => contentId === null || state !== 'ready')
  const isTooLarge = files.length > 0 && estimatedSize(one.letter) > MAX_MESSAGE_BYTES
  const problem = isTooLarge
    ? `The attachments are too large. The limit is ${formatBytes(MAX_FILE_BYTES)}.`
    : one.fieldProblems.files
  if (files.length === 0 && problem === undefined) return null
  return (
    <div className="shrink-0 border-line border-t px-3 py-2">
      <ul
        aria-label="Attachments"
        className="grid max-h-32 grid-cols-[repeat(auto-fill,minmax(13rem,1fr))] gap-1.5 overflow-y-auto"
      >
        {files.map((file) => (
          <FileRow key={file.key} windowId={one.id} file={file} />
        ))}
      </ul>
      {problem === undefined ? null : (
        <div className="pt-1.5">
          <FieldError id={`${one.id}-files`}>{problem}</FieldError>
        </div>
      )}
    </div>
  )
}

const FileRow = ({ windowId, file }: { windowId: string; file: LetterFile }) => {
  const isFailed = file.state === 'failed'
  const isRunning = file.state === 'waiting' || file.state === 'sending'
  return (
    <li
      className={cx(
        'relative flex min-w-0 items-center gap-2 overflow-hidden rounded-md border py-1 pr-1 pl-2 text-xs',
        isFailed ? 'border-failed-line bg-failed-soft' : 'border-line bg-sunken',
      )}
    >
      <FileIcon type={file.contentType} />
      <span className="flex min-w-0 flex-1 flex-col">
        <span className="truncate font-medium text-ink" title={file.filename}>
          {file.filename}
        </span>
        <span className={cx(isFailed ? 'text-failed-ink' : 'text-muted tabular-nums')}>{detail(file)}</span>
      </span>
      {isFailed && file.canRetry ? (
        <IconButton
          size="sm"
          label={`Retry ${file.filename}`}
          icon={<RotateCw />}
          onClick={(event) => {
            keepFocus(event)
            retryFile(windowId, file.key)
          }}
        />
      ) : null}
      <IconButton
        size="sm"
        label={isRunning ? `Cancel ${file.filename}` : `Remove ${file.filename}`}
        icon={<X />}
        onClick={(event) => {
          keepFocus(event)
          removeFile(windowId, file.key)
        }}
      />
      {isRunning ? (
        <div
          role="progressbar"
          aria-label={`Uploading ${file.filename}`}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(file.share * 100)}
          className="absolute inset-x-0 bottom-0 h-0.5 bg-pressed"
        >
          <div className="h-full bg-accent" style={{ width: `${file.share * 100}%` }} />
        </div>
      ) : null}
    </li>
  )
}

/** The button goes with its file; the keys still belong to the window. */
const keepFocus = (event: MouseEvent<HTMLElement>): void =>
  event.currentTarget.closest<HTMLElement>('[data-compose-window]')?.focus()

const detail = ({ state, size, share, problem }: LetterFile): string => {
  if (state === 'failed') return problem ?? 'Upload failed.'
  if (state === 'waiting') return `${formatBytes(size)}, waiting`
  return state === 'sending' ? `${formatBytes(size * share)} of ${formatBytes(size)}` : formatBytes(size)
}

const icons = [
  [/^image\//, FileImage],
  [/^audio\//, FileAudio],
  [/^video\//, FileVideo],
  [/zip|compressed|x-tar|x-7z/, FileArchive],
  [/^text\/|pdf|document|msword/, FileText],
] as const

const FileIcon = ({ type }: { type: string }) => {
  const Icon = icons.find(([pattern]) => pattern.test(type))?.[1] ?? PlainFile
  return <Icon aria-hidden className="size-4 shrink-0 text-faint" />
}
