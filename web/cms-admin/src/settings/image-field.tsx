import { Button } from '@stoa/ui/button/button.tsx'
import { ChoiceGroup } from '@stoa/ui/form/choice-group.tsx'
import { useQuery } from '@tanstack/react-query'
import { ImageOff, ImagePlus, Replace, X } from 'lucide-react'
import { useState } from 'react'
import { hasCode } from '../api.ts'
import { MediaThumb } from '../media/media-thumb.tsx'
import { MediaPicker } from '../media/picker/media-picker.tsx'
import { mediaQuery } from '../media/queries.ts'

type ImageFieldProps = {
  label: string
  help: string
  error: string | undefined
  /** The id of a picture of the library; empty: none. */
  value: string
  /** The label of the button that removes the picture. */
  removeLabel?: string
  onValue: (id: string) => void
}

const ACCEPT = ['image/'] as const

/** A picture of the media library that the whole site uses. */
export const ImageField = ({ label, help, error, value, removeLabel = 'Remove', onValue }: ImageFieldProps) => {
  const [picking, setPicking] = useState(false)
  return (
    <ChoiceGroup label={label} help={help} error={error}>
      <div className="flex min-w-0 flex-wrap items-center gap-3">
        {value === '' ? null : <Chosen id={value} />}
        <Button
          icon={value === '' ? <ImagePlus /> : <Replace />}
          aria-label={`${value === '' ? 'Choose image' : 'Change'}: ${label}`}
          onClick={() => setPicking(true)}
        >
          {value === '' ? 'Choose image' : 'Change'}
        </Button>
        {value === '' ? null : (
          <Button variant="ghost" icon={<X />} aria-label={`${removeLabel}: ${label}`} onClick={() => onValue('')}>
            {removeLabel}
          </Button>
        )}
      </div>
      <MediaPicker
        open={picking}
        onOpenChange={setPicking}
        accept={ACCEPT}
        onPick={([media]) => {
          if (media) onValue(media.id)
        }}
      />
    </ChoiceGroup>
  )
}

const Chosen = ({ id }: { id: string }) => {
  const { data: media, error } = useQuery(mediaQuery(id))
  if (media)
    return (
      <span className="flex min-w-0 items-center gap-3">
        <MediaThumb media={media} size="md" className="border border-line" />
        <span className="min-w-0 max-w-48 truncate text-ink text-sm">{media.filename}</span>
      </span>
    )
  if (!error) return <span aria-hidden className="size-20 animate-pulse rounded-md bg-pressed" />
  return (
    <span className="flex items-center gap-2 text-muted text-sm">
      <ImageOff aria-hidden className="size-4" />
      {hasCode(error, 'NOT_FOUND') ? 'This image was deleted.' : "Couldn't load this image."}
    </span>
  )
}
