/** The build collects all styles in one file. */
declare module '*.css' {}
