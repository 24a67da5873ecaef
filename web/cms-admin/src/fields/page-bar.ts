/** The bar of a text that stands on a page: there when it is looked for, and quiet while one writes. */
export const PAGE_BAR = '-mx-2 [&_button:not([aria-pressed=true])]:text-faint'
