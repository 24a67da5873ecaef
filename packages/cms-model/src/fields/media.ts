import { z } from 'zod'
import { checkId, cleanId, isId, isNothing } from './checks.ts'
import { defineField } from './define.ts'
import { accept } from './media-types.ts'

/** One image of the library, by its id. */
export const media = defineField({
  type: 'media',
  options: z.strictObject({ accept }),
  empty: () => null,
  isEmpty: isNothing,
  check: (value, _options, path) => (value === null ? [] : checkId(value, path, 'a file of the library')),
  clean: cleanId,
  links: (value) => ({ media: isId(value) ? [value] : [] }),
  text: () => '',
})
