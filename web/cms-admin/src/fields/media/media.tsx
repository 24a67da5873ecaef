import { lazyPart } from '@stoa/ui/shell/lazy-part.tsx'
import { Image } from 'lucide-react'
import { MediaChange } from '../../diff/diff-records.tsx'
import { idsIn } from '../../entries/list/values.ts'
import type { FieldView } from '../field-view.ts'
import { AcceptOptions, acceptWords } from './accept-options.tsx'
import { Pictures } from './pictures.tsx'

export const media: FieldView<'media'> = {
  label: 'Image or file',
  line: 'One file from the media library',
  group: 'Media and structure',
  icon: Image,
  sketch: 'picture',
  Editor: lazyPart(() => import('./media-editor.tsx'), 'MediaEditor'),
  frame: () => 'group',
  onPage: ({ accept }) => (accept.some((type) => type.startsWith('image/')) ? 'cover' : undefined),
  Cell: ({ value }) => <Pictures ids={idsIn(value)} />,
  Change: ({ change: { before, after } }) => <MediaChange before={before} after={after} />,
  Options: AcceptOptions,
  stricter: acceptWords,
  checkedOnSave: ['accept'],
}
