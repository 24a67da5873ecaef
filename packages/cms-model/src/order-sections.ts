/** A section among the sections that have the same parent. */
export type Sibling = { readonly id: string; readonly movable: boolean }

/**
 * The sections of one parent in the order of a layout. They come as they stand in the page; what is given back at an index
 * belongs into the place that the section of that index had. Those that are not movable keep their places, and hidden
 * ones take part as all others do. What the layout does not list follows the movable section that it followed before.
 */
export const orderSections = <S extends Sibling>(siblings: readonly S[], order: readonly string[]): S[] => {
  const movable = siblings.filter((sibling) => sibling.movable)
  const listed = new Set(order)
  const ordered = [...listed].flatMap((id) => movable.filter((sibling) => sibling.id === id))
  for (const [index, sibling] of movable.entries())
    if (!listed.has(sibling.id)) ordered.splice(ordered.indexOf(movable[index - 1] as S) + 1, 0, sibling)
  const next = ordered.values()
  return siblings.map((sibling) => (sibling.movable ? (next.next().value ?? sibling) : sibling))
}
