/** Keeps the place in the page when a button goes away with what it removed. */
export const focusGroupOf = (element: Element | null): void =>
  element?.closest<HTMLElement>('[role=group][tabindex]')?.focus()
