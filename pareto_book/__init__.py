"""What only the book needs: claims, figures, kept runs, studies, and the build."""
