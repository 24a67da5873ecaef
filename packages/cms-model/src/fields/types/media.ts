import { z } from 'zod'
import { checkId, cleanId, isId, isNothing } from '../checks.ts'
import { defineField } from '../define.ts'
import { accept } from '../media-types.ts'
import { isShortened } from '../narrowing.ts'

/** One image of the library, by its id. */
export const media = defineField({
  type: 'media',
  options: z.strictObject({ accept }),
  narrows: { accept: isShortened },
  empty: () => null,
  isEmpty: isNothing,
  check: (value, _options, path) => (value === null ? [] : checkId(value, path, 'a file in the media library')),
  clean: cleanId,
  links: (value) => ({ media: isId(value) ? [value] : [] }),
  text: () => '',
  comparesAs: 'media',
  typescript: () => 'MediaFile | null',
  changeView: 'media',
})
