import type { OptionsProps } from '../field-view.ts'
import { messageAt, NameSet } from '../option-inputs.tsx'

const fileKinds = [
  { value: 'image/*', label: 'Images' },
  { value: 'video/*', label: 'Videos' },
  { value: 'audio/*', label: 'Audio' },
  { value: 'application/pdf', label: 'PDF documents' },
]

export const AcceptOptions = (props: OptionsProps) => (
  <NameSet
    label="Allowed file types"
    known={fileKinds}
    value={props.field.accept}
    onValue={(accept) => props.onChange({ accept })}
    error={messageAt(props, 'accept')}
  />
)
