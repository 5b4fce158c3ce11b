/** The files that the `.js` of an import stands for, in the order in which dependency-cruiser tries them. */
module.exports = { resolve: { extensionAlias: { '.js': ['.ts', '.tsx', '.js'] } } };
