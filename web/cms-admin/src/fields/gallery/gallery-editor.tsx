import type { FieldOf } from '@stoa/cms-model/fields/field.ts'
import type { MediaRecord } from '@stoa/cms-model/media.ts'
import { Sortable } from '@stoa/ui/sortable/sortable.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { MediaPicker } from '../../media/picker/media-picker.tsx'
import { mediaQuery } from '../../media/queries.ts'
import type { EditorProps } from '../editor.ts'
import { mayMove, moveItem, removeItem, replaceItem } from '../items.ts'
import { AddFiles } from '../media/add-files.tsx'
import { acceptedStarts, keysOfIds } from '../media/file-notes.ts'
import { useFieldUpload } from '../media/use-field-upload.ts'
import { messagesOf, problemsAt } from '../problems.ts'
import { GalleryTile } from './gallery-tile.tsx'

/** Files of the library in an order. */
export const GalleryEditor = (props: EditorProps<FieldOf<'gallery'>>) => {
  const { field, value, onChange, path, problems, disabled } = props
  // The place to be replaced, or the end
  const [picking, setPicking] = useState<number | 'end'>()
  const client = useQueryClient()
  const ids = Array.isArray(value) ? value.filter((id) => typeof id === 'string') : []
  const keys = keysOfIds(ids)
  const take = (media: readonly MediaRecord[]) => {
    for (const record of media) client.setQueryData(mediaQuery(record.id).queryKey, record)
    const [first] = media
    if (typeof picking === 'number' && first) onChange(replaceItem(ids, picking, first.id))
    else onChange([...ids, ...media.map(({ id }) => id)])
  }
  const upload = useFieldUpload(field.accept, (media) => onChange([...ids, ...media.map(({ id }) => id)]))
  const move = (from: number, to: number) => {
    if (mayMove(ids.length, from, to)) onChange(moveItem(ids, from, to))
  }
  return (
    <>
      <AddFiles
        accept={field.accept}
        multiple
        disabled={disabled}
        chooseLabel="Choose files"
        onChoose={() => setPicking('end')}
        upload={upload}
      >
        {ids.length === 0 ? undefined : (
          <Sortable ids={keys} nameOf={(key) => `file ${keys.indexOf(key) + 1}`} onMove={move} layout="grid">
            <ol className="grid grid-cols-[repeat(auto-fill,minmax(8rem,1fr))] gap-2">
              {ids.map((id, index) => (
                <GalleryTile
                  key={keys[index]}
                  tileKey={keys[index] ?? id}
                  id={id}
                  path={`${path}.${index}`}
                  index={index}
                  count={ids.length}
                  errors={messagesOf(problemsAt(problems, `${path}.${index}`))}
                  disabled={disabled}
                  onMove={move}
                  onReplace={() => setPicking(index)}
                  onRemove={() => onChange(removeItem(ids, index))}
                />
              ))}
            </ol>
          </Sortable>
        )}
      </AddFiles>
      <MediaPicker
        open={picking !== undefined}
        onOpenChange={(open) => !open && setPicking(undefined)}
        accept={acceptedStarts(field.accept)}
        multiple={picking === 'end'}
        onPick={take}
      />
    </>
  )
}
