import { url as definition } from '@stoa/cms-model/fields/types/url.ts'
import { Input } from '@stoa/ui/form/input.tsx'
import { Link2 } from 'lucide-react'
import { shortUrl } from '../../entries/list/values.ts'
import { NOTHING, TextCell } from '../cell-parts.tsx'
import { defaultInput } from '../default-input.tsx'
import type { FieldView, OptionsProps } from '../field-view.ts'
import { messageAt, NameSet } from '../option-inputs.tsx'
import { ChangedText } from '../text/text-change.tsx'
import { UrlEditor } from './url-editor.tsx'

const linkKinds = [
  { value: 'https', label: 'Web addresses (https)' },
  { value: 'http', label: 'Unencrypted web addresses (http)' },
  { value: 'relative', label: 'Pages of this site, such as /about' },
  { value: 'mailto', label: 'Email addresses (mailto:)' },
  { value: 'tel', label: 'Phone numbers (tel:)' },
]

const standard = definition.options.parse({}).protocols

type ProtocolProps = OptionsProps<{ protocols?: typeof standard }>

const ProtocolOptions = (props: ProtocolProps) => (
  <NameSet
    label="Allowed links"
    known={linkKinds}
    value={props.options.protocols ?? standard}
    onValue={(protocols) => props.onChange({ protocols })}
    error={messageAt(props, 'protocols')}
  />
)

export const url: FieldView<'url'> = {
  label: 'Link',
  line: 'A web address or a page of this site',
  group: 'Text',
  icon: Link2,
  Editor: UrlEditor,
  frame: () => 'input',
  Cell: ({ value }) => (typeof value === 'string' && value !== '' ? <TextCell>{shortUrl(value)}</TextCell> : NOTHING),
  Change: ChangedText,
  Options: ProtocolOptions,
  stricter: { protocols: 'fewer link types' },
  Default: defaultInput((value, onText) => (
    <Input
      value={value}
      onChange={({ target }) => onText(target.value)}
      inputMode="url"
      autoCapitalize="none"
      spellCheck={false}
    />
  )),
}
