export const SuppressionsScreen = () => null
