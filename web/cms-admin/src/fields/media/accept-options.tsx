import type { OptionsProps } from '../field-view.ts'
import { messageAt, NameSet } from '../option-inputs.tsx'

const fileKinds = [
  { value: 'image/*', label: 'Images' },
  { value: 'video/*', label: 'Videos' },
  { value: 'audio/*', label: 'Sound' },
  { value: 'application/pdf', label: 'PDF documents' },
]

export const AcceptOptions = (props: OptionsProps) => (
  <NameSet
    label="Takes"
    known={fileKinds}
    value={props.field.accept}
    onValue={(accept) => props.onChange({ accept })}
    error={messageAt(props, 'accept')}
  />
)
