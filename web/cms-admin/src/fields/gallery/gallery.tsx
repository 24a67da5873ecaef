import { lazyPart } from '@stoa/ui/shell/lazy-part.tsx'
import { Images } from 'lucide-react'
import { GalleryChange } from '../../diff/diff-items.tsx'
import { idsIn } from '../../entries/list/values.ts'
import { type CountDraft, CountOptions, countDraft, countWords } from '../counts.tsx'
import type { FieldView } from '../field-view.ts'
import { countHint } from '../hints.ts'
import { type AcceptDraft, AcceptOptions, acceptWords } from '../media/accept-options.tsx'
import { Pictures } from '../media/pictures.tsx'

type GalleryDraft = AcceptDraft & CountDraft

export const gallery: FieldView<'gallery', GalleryDraft> = {
  label: 'Gallery',
  line: 'Several files in a set order',
  group: 'Media and structure',
  icon: Images,
  sketch: 'picture',
  Editor: lazyPart(() => import('./gallery-editor.tsx'), 'GalleryEditor'),
  frame: () => 'group',
  showsInside: true,
  hint: countHint,
  Cell: ({ value }) => <Pictures ids={idsIn(value)} />,
  Change: ({ change: { before, after } }) => <GalleryChange before={before} after={after} />,
  draft: countDraft,
  stricter: { ...acceptWords, ...countWords },
  checkedOnSave: ['accept'],
  Options: (props) => (
    <>
      <AcceptOptions {...props} />
      <CountOptions {...props} />
    </>
  ),
}
