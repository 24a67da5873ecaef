import { media } from '@stoa/cms-model/fields/types/media.ts'
import type { OptionsProps } from '../field-view.ts'
import { messageAt, NameSet } from '../option-inputs.tsx'

/** The stored value; absent while the type's default applies. */
export type AcceptDraft = { accept?: string[] }

const fileKinds = [
  { value: 'image/*', label: 'Images' },
  { value: 'video/*', label: 'Videos' },
  { value: 'audio/*', label: 'Audio' },
  { value: 'application/pdf', label: 'PDF documents' },
]

const standard = media.options.parse({}).accept

export const AcceptOptions = (props: OptionsProps<AcceptDraft>) => (
  <NameSet
    label="Allowed file types"
    known={fileKinds}
    value={props.options.accept ?? standard}
    onValue={(accept) => props.onChange({ accept })}
    error={messageAt(props, 'accept')}
  />
)

export const acceptWords = { accept: 'fewer file types' }
