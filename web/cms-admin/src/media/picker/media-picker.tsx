import { Button } from '@stoa/ui/button/button.tsx'
import { Dialog } from '@stoa/ui/layer/dialog.tsx'
import { formatCount } from '@stoa/ui/text/format.ts'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { may } from '../../allowed.tsx'
import { meQuery } from '../../queries.ts'
import type { MediaRecord } from '../queries.ts'
import { PickerBody } from './picker-body.tsx'
import { rememberPicked } from './recent.ts'

type MediaPickerProps = {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** Beginnings of MIME types, such as `image/`; everything, if absent. */
  accept?: readonly string[]
  multiple?: boolean
  /** Never empty. The picker closes by itself. */
  onPick: (media: readonly MediaRecord[]) => void
}

/** Chooses files of the library, with search, folders and upload. */
export const MediaPicker = ({ open, ...props }: MediaPickerProps) => (open ? <OpenPicker {...props} /> : null)

const OpenPicker = ({ onOpenChange, accept, multiple = false, onPick }: Omit<MediaPickerProps, 'open'>) => {
  const { data: me } = useSuspenseQuery(meQuery)
  const [chosen, setChosen] = useState<readonly MediaRecord[]>([])
  const take = (media: readonly MediaRecord[]) => {
    if (media.length === 0) return
    rememberPicked(media.map(({ id }) => id))
    onOpenChange(false)
    onPick(media)
  }
  const toggle = (media: MediaRecord) => {
    const others = chosen.filter(({ id }) => id !== media.id)
    setChosen(others.length < chosen.length ? others : [...chosen, media])
  }
  return (
    <Dialog
      open
      onOpenChange={onOpenChange}
      size="lg"
      title={multiple ? 'Choose files' : 'Choose file'}
      footer={
        multiple ? (
          <>
            <span role="status" className="mr-auto text-muted text-sm">
              {chosen.length === 0 ? '' : `${formatCount(chosen.length, 'file', 'files')} selected`}
            </span>
            <Button onClick={() => onOpenChange(false)}>Cancel</Button>
            <Button variant="primary" disabled={chosen.length === 0} onClick={() => take(chosen)}>
              {chosen.length > 1 ? `Use ${chosen.length} files` : 'Use file'}
            </Button>
          </>
        ) : undefined
      }
    >
      <PickerBody
        accept={accept}
        multiple={multiple}
        chosen={chosen}
        mayUpload={may(me, 'media.manage')}
        onTile={(media) => (multiple ? toggle(media) : take([media]))}
        onUploaded={(media) => {
          if (!multiple && media.length === 1) take(media)
          else setChosen([...chosen, ...media])
        }}
      />
    </Dialog>
  )
}
