import type { FieldOf } from '@stoa/cms-model/fields/field.ts'
import type { MediaRecord } from '@stoa/cms-model/media.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { MediaPicker } from '../../media/picker/media-picker.tsx'
import { mediaQuery } from '../../media/queries.ts'
import { inSentence } from '../../type-icon.tsx'
import type { EditorProps } from '../editor.ts'
import { AddFiles } from './add-files.tsx'
import { CoverPicture } from './cover-picture.tsx'
import { acceptedStarts } from './file-notes.ts'
import { MediaCard } from './media-card.tsx'
import { useFieldUpload } from './use-field-upload.ts'

/** One file of the library. */
export const MediaEditor = ({ field, value, onChange, disabled, look }: EditorProps<FieldOf<'media'>>) => {
  const [picking, setPicking] = useState(false)
  const client = useQueryClient()
  const take = ([media]: readonly MediaRecord[]) => {
    if (!media) return
    client.setQueryData(mediaQuery(media.id).queryKey, media)
    onChange(media.id)
  }
  const upload = useFieldUpload(field.accept, take)
  const id = typeof value === 'string' ? value : undefined
  const isPage = look === 'page'
  const Chosen = isPage ? CoverPicture : MediaCard
  return (
    <>
      <AddFiles
        accept={field.accept}
        multiple={false}
        disabled={disabled}
        chooseLabel={id !== undefined ? 'Replace' : isPage ? `Add ${inSentence(field.label)}` : 'Choose file'}
        isQuiet={isPage}
        onChoose={() => setPicking(true)}
        upload={upload}
      >
        {id === undefined ? undefined : <Chosen id={id} disabled={disabled} onRemove={() => onChange(null)} />}
      </AddFiles>
      <MediaPicker open={picking} onOpenChange={setPicking} accept={acceptedStarts(field.accept)} onPick={take} />
    </>
  )
}
