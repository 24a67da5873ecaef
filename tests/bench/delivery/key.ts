/** The one delivery key of the bench. */
export const KEY = 'cms_0123456789abcdefghijklmnopqrstuvwxyzABCDEFG'
