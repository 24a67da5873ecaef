import { linksOf } from '@stoa/cms-model/fields/values.ts'
import { formatCount } from '@stoa/ui/format.ts'
import { Notice } from '@stoa/ui/notice.tsx'
import { useQueries } from '@tanstack/react-query'
import { mediaQuery } from '../../media/queries.ts'
import { useEditor } from './editor-context.ts'

/** More pictures are not asked about one by one. */
const MAX_ASKED = 50

/** Tells of pictures that those who do not see will miss. It holds nobody up. */
export const MissingAlt = () => {
  const { type, state } = useEditor()
  const ids = linksOf(type.fields, state.values.data).media.slice(0, MAX_ASKED)
  const files = useQueries({ queries: ids.map((id) => mediaQuery(id)) })
  const missing = files.filter(
    ({ data }) => data?.mimeType.startsWith('image/') && data.alt === '' && !data.decorative,
  ).length
  if (missing === 0) return null
  return (
    <Notice tone="warning" title={`${formatCount(missing, 'image has', 'images have')} no alt text`}>
      Screen readers can't describe these images. Add alt text in the media library.
    </Notice>
  )
}
