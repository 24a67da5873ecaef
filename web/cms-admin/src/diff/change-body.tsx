import { LAYOUT_KEY } from '@stoa/cms-model/fields/layout.ts'
import { isFieldType } from '@stoa/cms-model/fields/types/index.ts'
import type { ChangeProps } from '../fields/field-view.ts'
import { viewOf } from '../fields/index.ts'
import { textOf } from '../fields/text-of.ts'
import { LayoutChange } from './diff-items.tsx'
import { PlainChange } from './diff-plain.tsx'
import { DocumentChange, TextChange } from './diff-text.tsx'

/** One difference, in the way that values of its type are best compared. */
export const ChangeBody = ({ change, field }: ChangeProps) => {
  const { fieldType } = change
  if (fieldType === null) return <Untyped change={change} />
  // The service may know types that this page does not
  if (!isFieldType(fieldType)) return <PlainChange change={change} />
  const { Change } = viewOf({ type: fieldType })
  return <Change change={change} field={field} />
}

/** Values without a field of their own: the layout, and what a row of an unknown list holds. */
const Untyped = ({ change }: Pick<ChangeProps, 'change'>) => {
  const { path, before, after } = change
  if (path === `data.${LAYOUT_KEY}`) return <LayoutChange before={before} after={after} />
  if (isText(before) && isText(after)) return <TextChange before={textOf(before)} after={textOf(after)} />
  if (isStructure(before) || isStructure(after)) return <DocumentChange before={before} after={after} />
  return <PlainChange change={change} />
}

const isText = (value: unknown): boolean => typeof value === 'string'
const isStructure = (value: unknown): boolean => typeof value === 'object' && value !== null
