import { splitMarked } from './highlight.ts'

/** A text with the words of a search marked. */
export const Marked = ({ text, words }: { text: string; words: readonly string[] }) =>
  words.length === 0
    ? text
    : splitMarked(text, words).map(({ text: piece, isMarked }, index) =>
        isMarked ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text, in its order
          <mark key={index} className="rounded-xs bg-draft-line text-inherit">
            {piece}
          </mark>
        ) : (
          piece
        ),
      )
