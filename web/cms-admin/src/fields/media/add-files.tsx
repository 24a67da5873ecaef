import { Button } from '@stoa/ui/button/button.tsx'
import { Notice } from '@stoa/ui/feedback/notice.tsx'
import { Progress } from '@stoa/ui/feedback/progress.tsx'
import { cx } from '@stoa/ui/theme/cx.ts'
import { useSuspenseQuery } from '@tanstack/react-query'
import { FolderOpen } from 'lucide-react'
import type { ReactNode } from 'react'
import { may } from '../../allowed.tsx'
import { UploadButton } from '../../media/upload/upload-button.tsx'
import { meQuery } from '../../queries.ts'
import { DropArea } from './drop-area.tsx'
import type { FieldUpload } from './use-field-upload.ts'

type AddFilesProps = {
  accept: readonly string[]
  multiple: boolean
  disabled: boolean
  /** Shown instead of the empty box: files can be dropped on it. */
  children?: ReactNode
  chooseLabel: string
  /** Without the box around nothing: it stands on a page. */
  isQuiet?: boolean
  onChoose: () => void
  upload: FieldUpload
}

/** Where files come into a field: from the library, by upload, or by dropping them. */
export const AddFiles = (props: AddFilesProps) => {
  const { accept, multiple, disabled, children, chooseLabel, isQuiet = false, onChoose, upload } = props
  const { data: me } = useSuspenseQuery(meQuery)
  const mayUpload = may(me, 'media.manage') && !disabled
  const isEmpty = children === undefined
  const variant = isQuiet ? 'ghost' : 'secondary'
  const buttons = disabled ? null : (
    <div className={cx('flex flex-wrap items-center gap-2', isQuiet && '-mx-3 gap-0')}>
      <Button icon={<FolderOpen />} variant={variant} onClick={onChoose}>
        {chooseLabel}
      </Button>
      {mayUpload ? <UploadButton variant={variant} multiple={multiple} accept={accept} onFiles={upload.start} /> : null}
      {mayUpload ? (
        <span className="text-faint text-xs phone:hidden">or drop {multiple ? 'files' : 'a file'} here</span>
      ) : null}
    </div>
  )
  return (
    <DropArea enabled={mayUpload} onFiles={(files) => upload.start(multiple ? files : files.slice(0, 1))}>
      {children}
      <div
        className={cx(
          isEmpty && !isQuiet && 'rounded-lg border border-line-strong border-dashed px-3 py-4',
          'flex flex-col gap-2',
        )}
      >
        {isEmpty && disabled ? <p className="text-faint text-sm">No file</p> : buttons}
        <UploadState upload={upload} />
      </div>
    </DropArea>
  )
}

const UploadState = ({ upload }: { upload: FieldUpload }) => (
  <>
    {upload.running > 0 ? (
      <Progress
        label={upload.running === 1 ? 'Uploading 1 file' : `Uploading ${upload.running} files`}
        done={Math.round(upload.share * 100)}
        total={100}
        unit="%"
        onCancel={upload.cancel}
      />
    ) : null}
    {upload.failed.length > 0 ? (
      <Notice
        tone="danger"
        action={
          <Button size="sm" onClick={upload.dismiss}>
            Dismiss
          </Button>
        }
      >
        <ul className="flex flex-col gap-1">
          {upload.failed.map((item) => (
            <li key={item.id}>
              <span className="font-medium text-ink">{item.name}</span>: {item.problem}{' '}
              {item.retryable ? (
                <button type="button" className="text-accent-ink underline" onClick={() => upload.retry(item)}>
                  Try again
                </button>
              ) : null}
            </li>
          ))}
        </ul>
      </Notice>
    ) : null}
  </>
)
