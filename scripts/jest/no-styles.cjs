/** Stands for every style sheet: specs load components without their look. */
module.exports = {};
