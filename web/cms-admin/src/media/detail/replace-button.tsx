import { Button } from '@stoa/ui/button/button.tsx'
import { Progress } from '@stoa/ui/feedback/progress.tsx'
import { toast } from '@stoa/ui/feedback/toast-store.ts'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { messageOf, ProblemError } from '@stoa/ui/request/problem.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useVersionedSave } from '../../conflict.tsx'
import { type MediaRecord, mediaKey, mediaQuery, readMedia, uploadLimitQuery } from '../queries.ts'
import { problemOfFile } from '../upload/file-check.ts'
import { UploadButton } from '../upload/upload-button.tsx'
import { replaceFile } from '../upload/upload-file.ts'

type ReplaceButtonProps = { media: MediaRecord; onReplaced: (media: MediaRecord) => void }

/** Gives a file other content of the same kind: whatever uses it shows the new one. */
export const ReplaceButton = ({ media, onReplaced }: ReplaceButtonProps) => {
  const queryClient = useQueryClient()
  const { data: maxBytes } = useQuery(uploadLimitQuery)
  const versioned = useVersionedSave(`“${media.filename}”`)
  const [share, setShare] = useState<number>()
  const stop = useRef<AbortController>(undefined)
  const accept = [acceptedFor(media.mimeType)]
  const replace = async (file: File) => {
    stop.current = new AbortController()
    const { signal } = stop.current
    try {
      const problem = problemOfFile(file, { maxBytes, accept })
      if (problem !== undefined) throw new ProblemError(problem)
      setShare(0)
      const { record, saved } = await versioned.save({
        version: media.version,
        write: (version) => replaceFile(media.id, file, { version, signal, onProgress: setShare }),
        read: () => readMedia(media.id),
      })
      queryClient.setQueryData(mediaQuery(media.id).queryKey, record)
      void queryClient.invalidateQueries({ queryKey: mediaKey })
      onReplaced(record)
      if (saved) toast({ tone: 'success', title: 'File replaced', description: 'It has a new URL.' })
    } catch (error) {
      if (signal.aborted) return
      toast({ tone: 'danger', title: "Couldn't replace the file", description: messageOf(error) })
    } finally {
      setShare(undefined)
    }
  }
  return (
    <>
      <UploadButton label="Replace" multiple={false} accept={accept} onFiles={([file]) => file && void replace(file)} />
      {share === undefined ? null : (
        <Dialog
          open
          onOpenChange={() => undefined}
          dismissible={false}
          size="sm"
          title="Replacing file"
          footer={<Button onClick={() => stop.current?.abort()}>Cancel</Button>}
        >
          <Progress label={media.filename} done={Math.round(share * 100)} total={100} unit="%" />
        </Dialog>
      )}
      {versioned.dialog}
    </>
  )
}

/** A picture stays a picture: fields say which kinds of files they take. */
const acceptedFor = (mimeType: string): string =>
  mimeType.startsWith('application/') ? mimeType : mimeType.replace(/\/.*$/, '/')
