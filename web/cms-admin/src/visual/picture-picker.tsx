import { useQueryClient } from '@tanstack/react-query'
import { useEditor } from '../entries/editor/editor-context.ts'
import { dataMember } from '../entries/editor/values.ts'
import { acceptedStarts } from '../fields/media/file-notes.ts'
import { MediaPicker } from '../media/media-picker.tsx'
import { type MediaRecord, mediaQuery } from '../media/queries.ts'

type PicturePickerProps = { picture: { key: string | null; close: () => void } }

/** Another picture for the one that was clicked on the page. */
export const PicturePicker = ({ picture: { key, close } }: PicturePickerProps) => {
  const { type, session } = useEditor()
  const client = useQueryClient()
  const field = type.fields.find((one) => one.key === key)
  if (key === null || field?.type !== 'media') return null
  const take = ([media]: readonly MediaRecord[]) => {
    if (!media) return
    client.setQueryData(mediaQuery(media.id).queryKey, media)
    session.asOneStep(() => session.change(dataMember(key), media.id))
  }
  return <MediaPicker open onOpenChange={close} accept={acceptedStarts(field.accept)} onPick={take} />
}
