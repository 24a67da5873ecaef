import { ListItem as TipTapListItem, OrderedList as TipTapOrderedList } from '@tiptap/extension-list'
import { numberOf } from './element.ts'

/** An item may begin with anything, as in stored HTML. */
export const ListItem = TipTapListItem.extend({ content: 'block+' })

/** Only the first number is stored. */
export const OrderedList = TipTapOrderedList.extend({
  addAttributes: () => ({
    start: {
      default: 1,
      parseHTML: (element) => numberOf(element, 'start') ?? 1,
      renderHTML: ({ start }) => (start === 1 ? {} : { start }),
    },
  }),
  renderHTML: ({ HTMLAttributes }) => ['ol', HTMLAttributes, 0],
})
