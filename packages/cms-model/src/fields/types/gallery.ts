import { z } from 'zod'
import {
  checkCount,
  checkCountOptions,
  checkId,
  cleanId,
  countOptions,
  isId,
  isNoItem,
  readsOneByOne,
} from '../checks.ts'
import { defineField } from '../define.ts'
import { accept } from '../media-types.ts'
import { countNarrows, isShortened } from '../narrowing.ts'

/** Ordered images of the library, by their ids. One may come twice. */
export const gallery = defineField({
  type: 'gallery',
  options: z.strictObject({ accept, ...countOptions }),
  checkOptions: checkCountOptions,
  narrows: { accept: isShortened, ...countNarrows },
  empty: () => [],
  isEmpty: isNoItem,
  check: (value, options, path) => {
    const problems = checkCount(value, options, path)
    if (problems.length > 0 || !Array.isArray(value)) return problems
    return value.flatMap((item, index) => checkId(item, `${path}.${index}`, 'a file in the media library'))
  },
  clean: (value) => (Array.isArray(value) ? value.map(cleanId) : value),
  adopt: (value) => (isId(value) ? [value] : undefined),
  read: (value) => (Array.isArray(value) ? value : [value]).filter(isId),
  isMisfit: readsOneByOne,
  links: (value) => ({ media: Array.isArray(value) ? value.filter(isId) : [] }),
  text: () => '',
  comparesAs: 'media',
  typescript: () => 'MediaFile[]',
  changeView: 'media',
})
